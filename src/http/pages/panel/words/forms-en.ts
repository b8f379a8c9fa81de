/** The texts of forms in English. */
export const formsEn = {
  sentForms: {
    noKey: 'The form was not carried out: its page is too old. Open the page again.',
    other: 'This form was sent already, with other content. Open it anew to send something else.',
    outcome: 'What came of it:',
    look: 'Look at it',
    both: 'Something was changed both here and meanwhile elsewhere. Nothing is saved yet: see the marked fields.',
    meanwhile: 'Changed meanwhile to: {value}. Save again to overwrite it.',
    nothingYet: 'Nothing is created yet. Send the form again to create the parcel all the same.',
    noChoice: 'The form does not say what to do. Open the page again.',
    anew: 'Open the page again',
  },
  forms: {
    closeApiQuestion:
      'Programs of the merchant then get no answer: no order reaches us. Panel and parcels under way go on.',
    disableAccountQuestion:
      'Everything of the merchant stops: API, plugins, webhooks, mails and the sign-ins of its users.',
    disableLicenseQuestion:
      'Nothing can be sent with the license until it is enabled again. Parcels under way go on.',
    disableSiteQuestion:
      'The store then neither sends orders nor hears of parcels until it is enabled again.',
    disableUserQuestion: '{email} is signed out everywhere and cannot sign in until enabled again.',
    rotateUrlQuestion: 'The present address stops working at once: enter the new one at the carrier.',
    revokeTokenQuestion: 'What uses the token stops working at once. It cannot be brought back.',
  },
};
