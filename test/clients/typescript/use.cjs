/** The steps of a shop with its parcels, under any runtime; prints what came of it as JSON. */
exports.use = async ({ ApiError, Parcelworks, signWebhook, verifyWebhook }) => {
  const { PARCELS_URL, PARCELS_ID, PARCELS_SECRET, PARCELS_BODY } = process.env;
  const parcels = new Parcelworks({
    baseUrl: PARCELS_URL,
    clientId: PARCELS_ID,
    clientSecret: PARCELS_SECRET,
    appName: 'runtimes/1',
    keptReads: 10,
  });
  const body = JSON.parse(PARCELS_BODY);
  const key = `${body.order.id}-1`;
  const created = await parcels.createShipment(body, { key });
  const again = await parcels.createShipment(body, { key });
  const refused = await parcels
    .createShipment({ ...body, order: { id: 'other' } }, { key })
    .catch((error) => error);
  const listed = [];
  for await (const { uuid } of parcels.listShipments({ 'filter[order_id]': body.order.id }))
    listed.push(uuid);
  const [first, second] = [
    await parcels.getShipment(created.data.uuid),
    await parcels.getShipment(created.data.uuid),
  ];
  const secret = `whsec_${'abcd'.repeat(10)}`;
  const test = await signWebhook({ event: 'ping', created_at: 1, data: { webhook_id: 'one' } }, secret);
  const verified = await verifyWebhook(test.body, test.headers, secret);
  console.log(
    JSON.stringify({
      same: created.data.uuid === again.data.uuid && again.isReplay,
      refused: refused instanceof ApiError && refused.code,
      listed: listed.length,
      kept: first.raw === second.raw,
      event: verified.event.event,
    }),
  );
};
