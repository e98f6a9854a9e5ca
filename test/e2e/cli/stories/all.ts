/** Every story there is, by the words of its command. */
import type { Stories } from '../../../support/cli-story.ts';
import { approvalStories } from './approvals.ts';
import { credentialStories } from './credentials.ts';
import { editingStories } from './editing.ts';
import { governanceStories } from './governance.ts';
import { homeStories } from './home.ts';
import { memoryStories } from './memory.ts';
import { pageStories } from './pages.ts';
import { providerStories } from './providers.ts';
import { reviewStories } from './review.ts';

export const stories: Stories = {
  ...pageStories,
  ...editingStories,
  ...governanceStories,
  ...homeStories,
  ...reviewStories,
  ...memoryStories,
  ...providerStories,
  ...credentialStories,
  ...approvalStories,
};
