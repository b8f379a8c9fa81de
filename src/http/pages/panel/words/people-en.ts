/** What the search over all accounts, and an account's team, say in English. */
export const peopleEn = {
  people: {
    search: 'Search all accounts',
    searchHint:
      'A whole tracking code, order or phone, or part of an account’s name or e-mail. The {count} newest parcels at most.',
    foundParcels: 'Parcels found',
    foundAccounts: 'Accounts found',
    merchant: 'Account',
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
};
