/** The shop of the programs that work with a generated TypeScript client. */
export const { PARCELS_URL = '', PARCELS_ID = '', PARCELS_SECRET = '', PARCELS_LICENSE = '' } = process.env;
export const run = crypto.randomUUID();

/** A body of a creation; each client compiles it as its own type. */
export const shipment = (order: string) => ({
  license_key: PARCELS_LICENSE,
  ship_data: {
    contact_name: 'Dana Levi',
    contact_phone: '0501234567',
    street: 'Dizengoff',
    number: '99',
    city: 'Tel Aviv',
    type: 1 as const,
    return: 1 as const,
    packages: 1,
  },
  order: { id: `${order}-${run}` },
});

/** Prints the name of a step that worked, and ends the program with that of one that did not. */
export function check(holds: boolean | undefined, step: string): void {
  if (holds !== true) throw new Error(step);
  console.log(step);
}
