import { setCurrentDetails } from '@temporalio/workflow';

/**
 * Shows Markdown in Current Details. Adds no event. The last line is empty, because the UI's frame hides part
 * of it.
 */
export function showDetails(text: string): void {
  setCurrentDetails(`${text}\n\n\u00a0`);
}
