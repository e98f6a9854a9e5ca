/** The domain's way of saying that an author has to agree first. The pipeline keeps such a call as a proposal. */
import { SluiceError } from './errors.ts';

export class ReviewRequired extends SluiceError {
  constructor(message: string, page: string) {
    super('review_required', message, { page });
    this.name = 'ReviewRequired';
  }
}
