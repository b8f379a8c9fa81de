/** Texts of what people keep for their next parcels, in English. */
export const keptEn = {
  kept: {
    addresses: 'Address book',
    addressesIntro:
      'Addresses that people of the account have kept: of recipients, and of senders for collections and returns.',
    search: 'Name, phone or city',
    find: 'Find a kept address',
    keep: 'Keep this address',
    new: 'New address',
    shipTo: 'Send a parcel',
    collectFrom: 'Collect a parcel',
    removeAddress: 'Delete the address? Parcels that were sent keep theirs.',
    nobody: 'No kept address has this text.',
    preset: 'Preset',
    presets: 'Presets of parcels',
    presetsIntro:
      'What a parcel of its kind always has. One click in "New shipment" fills it in, and orders of a file get it where the file says nothing.',
    presetName: 'Name of the preset',
    savePreset: 'Save as a preset',
    saveHint: 'Keeps license, type, packages and note. A preset of this name is replaced.',
    removePreset: 'Delete the preset?',
    any: 'any',
  },
};
