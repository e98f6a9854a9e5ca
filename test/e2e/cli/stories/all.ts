/** Every story there is, by the words of its command. */
import type { Stories } from '../../../support/cli-story.ts';
import { editingStories } from './editing.ts';
import { governanceStories } from './governance.ts';
import { homeStories } from './home.ts';
import { pageStories } from './pages.ts';

export const stories: Stories = { ...pageStories, ...editingStories, ...governanceStories, ...homeStories };
