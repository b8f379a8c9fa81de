import test from 'ava';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { deliveryHeaders, newWebhookSecret } from '../../src/outbound/webhook-signature.js';

const body = JSON.stringify({ event: 'shipment.created', created_at: 1, data: { note: 'שלום, naïve ✓' } });

function headersWith(secrets: string[], timestampSeconds = Math.floor(Date.now() / 1000)) {
  return deliveryHeaders({
    event: 'shipment.created',
    eventId: '019aa5a6-9e20-7a31-8f00-2c3d4e5f6071',
    deliveryId: '019aa5a6-9e21-7b42-8c00-1d2e3f405162',
    body,
    timestampSeconds,
    secrets,
  });
}

test('newWebhookSecret: whsec_ and 40 random letters and digits', (t) => {
  const secrets = Array.from({ length: 200 }, newWebhookSecret);

  t.true(secrets.every((secret) => /^whsec_[A-Za-z0-9]{40}$/.test(secret)));
  t.is(new Set(secrets).size, 200);
});

test('deliveryHeaders: the libraries of Stripe and Standard Webhooks verify a delivery', (t) => {
  const secret = newWebhookSecret();
  const headers = headersWith([secret]);

  const stripe = Stripe.webhooks.constructEvent(body, headers['x-service-signature'] ?? '', secret);
  const standard = new Webhook(secret).verify(body, headers);

  t.deepEqual(stripe as unknown, JSON.parse(body));
  t.deepEqual(standard, JSON.parse(body));
});

test('deliveryHeaders: while two secrets are valid, either verifies and no other does', (t) => {
  const [fresh, old, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
  const headers = headersWith([fresh, old]);

  for (const secret of [fresh, old]) {
    t.notThrows(() => Stripe.webhooks.constructEvent(body, headers['x-service-signature'] ?? '', secret));
    t.notThrows(() => new Webhook(secret).verify(body, headers));
  }

  t.regex(headers['x-service-signature'] ?? '', /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  t.throws(() => Stripe.webhooks.constructEvent(body, headers['x-service-signature'] ?? '', other));
  t.throws(() => new Webhook(other).verify(body, headers));
});

test('deliveryHeaders: a changed body and an old delivery do not verify', (t) => {
  const secret = newWebhookSecret();
  const headers = headersWith([secret]);
  const old = headersWith([secret], Math.floor(Date.now() / 1000) - 3600);

  t.throws(() => Stripe.webhooks.constructEvent(`${body} `, headers['x-service-signature'] ?? '', secret));
  t.throws(() => new Webhook(secret).verify(`${body} `, headers));
  t.throws(() => Stripe.webhooks.constructEvent(body, old['x-service-signature'] ?? '', secret));
  t.throws(() => new Webhook(secret).verify(body, old));
});
