/** The texts of the search over all accounts, an account's team and an owner's licenses in English. */
export const peopleEn = {
  people: {
    search: 'Search all accounts',
    searchHint:
      'A whole tracking code, order or phone, or the beginnings of words of an account’s name or e-mail. The {count} newest parcels at most.',
    foundParcels: 'Parcels found',
    foundAccounts: 'Accounts found',
    merchant: 'Account',
    moreFound: 'More were found. These are {count} of them: add to the text to see others.',
    moreAccounts: 'The first {count} accounts are suggested; others are found by what you type.',
    searchUsers: 'E-mail begins with',
    team: 'Team',
    teamIntro:
      'Who signs in to this panel for the account. Owners also decide on credentials, settings and this team; staff send parcels.',
    inviteOne: 'Invite someone',
    teamRole: 'May do',
    you: 'you',
    makeRole: 'Make them {role}',
    roleQuestion: '{email} loses what {from} may do beyond {to}, and is signed out everywhere.',
    ownRole: 'Your own role is changed by another administrator or owner.',
  },
  mine: {
    keyHint:
      'The shop’s plugin and programs name this license by its key. Who has the key can send parcels on your account: enter it there alone.',
    whole: 'complete',
    missing: 'missing: {names}. Who runs this service enters them.',
    addressNeeded: 'The carrier is told where to collect: without street and city it takes no parcel.',
  },
};
