/** What forms say in English. */
export const formsEn = {
  sentForms: {
    noKey: 'The form was not carried out: its page is too old. Open the page again.',
    other: 'This form was sent already, with other content. Open it anew to send something else.',
    outcome: 'What came of it:',
    look: 'Look at it',
    both: 'Something was changed both here and meanwhile elsewhere. Nothing is saved yet: see the marked fields.',
    meanwhile: 'Changed meanwhile to: {value}. Save again to overwrite it.',
    anew: 'Open the page again',
  },
};
