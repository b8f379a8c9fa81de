import { setCurrentDetails } from '@temporalio/workflow';

/**
 * Shows the text, Markdown, under Current Details. No event. The UI's frame is about a line lower than what is in it, so
 * that its end is an empty one.
 */
export function showDetails(text: string): void {
  setCurrentDetails(`${text}\n\n\u00a0`);
}
