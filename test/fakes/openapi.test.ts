import { afterAll, expect, test, vi } from 'vitest'
import { appToken } from '../../server/areas/integrations/installation-token.ts'
import { findProvider } from '../../server/areas/providers/providers.ts'
import { newId } from '../../server/platform/ids.ts'
import { newKeyPair } from '../../server/remote/ssh/key-pair.ts'
import { startSlipway } from '../support/stages/context.ts'
import { startFakeDigitalOcean } from '../support/fakes/clouds/digital-ocean.ts'
import { startFakeHetzner } from '../support/fakes/clouds/hetzner.ts'
import { startFakeVultr } from '../support/fakes/clouds/vultr.ts'
import { startFakeGitHub } from '../support/fakes/github.ts'
import { compare, readPublished, startRecorder } from '../support/fakes/openapi/published.ts'
import { connectStripe, stripeStage } from '../support/fakes/stripe-stage.ts'
import { startFakeStripe } from '../support/fakes/stripe.ts'

const clouds = {
  hetzner: {
    start: startFakeHetzner,
    document: 'hetzner',
    wanted: { region: 'nbg1', type: 'cx23', image: 'debian-12' },
  },
  digitalocean: {
    start: startFakeDigitalOcean,
    document: 'digital-ocean',
    wanted: { region: 'fra1', type: 's-1vcpu-1gb', image: 'debian-12-x64' },
  },
  vultr: {
    start: startFakeVultr,
    document: 'vultr',
    wanted: { region: 'fra', type: 'vc2-1c-1gb', image: '2136' },
  },
}

test.each(Object.entries(clouds))(
  'responds to every call of Slipway as specified by %s',
  async (id, { start, document, wanted }) => {
    const published = readPublished(document)
    const provider = findProvider(id)
    if (!provider) throw new Error(`There is no provider ${id}.`)
    const fake = await start()
    const recorder = await startRecorder(fake.url)
    const env = Object.fromEntries(Object.keys(fake.env).map((name) => [name, recorder.url]))
    const slipway = await startSlipway(env)
    afterAll(async () => {
      await slipway.close()
      recorder.close()
      await fake.close()
    })
    const account = { ctx: slipway.ctx, token: fake.addToken() }
    await provider.check(account)
    await provider.listRegions(account)
    await provider.listTypes(account)
    await provider.listImages(account)
    const { publicKey } = newKeyPair('web')
    const keyId = await provider.keepKey(account, { name: 'web', publicKey })
    const serverId = newId('server')
    const order = { name: 'web-1', ...wanted, keyId, userData: '#!/bin/sh\n', serverId }
    const made = await provider.createServer(account, order)
    await vi.waitFor(async () =>
      expect(await provider.findServer(account, made.id)).toMatchObject({ status: 'running' }),
    )
    fake.addServer({ name: 'other', ...wanted })
    expect(await provider.listServers(account, serverId)).toHaveLength(1)
    expect(await provider.listServers(account)).toHaveLength(2)
    await provider.destroyServer(account, made.id)
    expect(await provider.findServer(account, made.id)).toBeUndefined()
    await provider.removeKey(account, keyId)
    // Error responses are validated as well.
    await expect(provider.createServer(account, { ...order, region: 'mars' })).rejects.toThrow(provider.name)
    for (const rights of ['read', 'none'] as const)
      await expect(
        provider.keepKey({ ...account, token: fake.addToken({ rights }) }, { name: 'web', publicKey }),
      ).rejects.toThrow(provider.name)
    expect(compare(published, recorder.exchanges)).toEqual({ problems: [], unasked: [] })
  },
)

test('responds to every call of Slipway as specified by Stripe', async () => {
  const published = readPublished('stripe')
  const fake = await startFakeStripe()
  const recorder = await startRecorder(fake.url)
  afterAll(async () => {
    recorder.close()
    await fake.close()
  })
  const sdk = connectStripe({ ...fake, url: recorder.url })
  const stage = stripeStage(fake, sdk)
  const first = await stage.subscribe({
    automatic_tax: { enabled: true },
    customer_update: { address: 'auto' },
  })
  await sdk.customers.retrieve(first.customer)
  await sdk.prices.retrieve('price_pro', { expand: ['currency_options'] })
  await sdk.checkout.sessions.retrieve(first.session)
  await sdk.checkout.sessions.expire((await stage.newSession(first.customer)).id)
  await sdk.checkout.sessions.list({ customer: first.customer })
  const items = [{ id: first.item, price: 'price_team' }]
  const proration = { proration_behavior: 'always_invoice' } as const
  const preview = await sdk.invoices.createPreview({
    subscription: first.id,
    subscription_details: { items, ...proration },
  })
  await sdk.invoices.listLineItems(preview.id ?? '')
  await sdk.subscriptions.update(first.id, { items, ...proration })
  fake.setCard(first.customer, 'declined')
  const yearly = [{ id: first.item, price: 'price_pro_yearly' }]
  const held = await sdk.subscriptions.update(first.id, {
    items: yearly,
    ...proration,
    payment_behavior: 'pending_if_incomplete',
  })
  const open = await sdk.invoices.retrieve(idOf(held.latest_invoice))
  await sdk.invoices.voidInvoice(open.id ?? '')
  await sdk.subscriptions.update(first.id, { cancel_at_period_end: true })
  await sdk.subscriptions.retrieve(first.id)
  await sdk.invoices.list({ subscription: first.id, status: 'paid', limit: 100 })
  const features = { invoice_history: { enabled: true }, payment_method_update: { enabled: true } }
  const { id: configuration } = await sdk.billingPortal.configurations.create({ features })
  await sdk.billingPortal.configurations.list({ active: true })
  await sdk.billingPortal.sessions.create({ customer: first.customer, configuration })
  await sdk.subscriptions.cancel(first.id)
  await expect(sdk.subscriptions.cancel(first.id)).rejects.toThrow('No such subscription')
  expect(compare(published, recorder.exchanges)).toEqual({ problems: [], unasked: [] })
})

test('responds to every call of an App as specified by GitHub', async () => {
  const published = readPublished('github')
  const fake = await startFakeGitHub()
  const recorder = await startRecorder(fake.url)
  afterAll(async () => {
    recorder.close()
    await fake.close()
  })
  const account = fake.addAccount('octo')
  await fake.addRepository('octo/hello', {})
  await fake.addRepository('octo/other', {})
  const { app } = fake
  // No process listens there, so deliveries are listed as failed.
  app.hookUrl = 'http://127.0.0.1:1/'
  await fake.suspend(fake.installApp('octo'), false)
  const installation = fake.installApp('octo', ['hello'])
  fake.state.userTokens.set('ghu_octo', {
    app,
    account,
    redirectUri: '',
    scopes: [],
    challenge: null,
    until: Infinity,
  })
  const asApp = appToken({ ...app, from: 'environment', privateKey: app.pem })
  const ask = async (token: string, path: string, body?: object): Promise<{ token: string }> => {
    const headers = { authorization: `Bearer ${token}`, 'user-agent': 'test' }
    const given = body && { method: 'POST', body: JSON.stringify(body) }
    return (await fetch(recorder.url + path, { headers, ...given })).json()
  }
  await ask(asApp, '/app')
  await ask(asApp, `/app/installations/${installation.id}`)
  await ask(asApp, '/app/installations/1')
  const tokens = `/app/installations/${installation.id}/access_tokens`
  const { token } = await ask(asApp, tokens, { repositories: ['hello'], permissions: { contents: 'read' } })
  await ask(asApp, tokens, { repositories: ['other'] })
  await ask(token, '/installation/repositories?per_page=100')
  await ask('ghu_octo', '/user/installations?per_page=100')
  await ask(asApp, '/app/hook/deliveries?per_page=100')
  await ask(asApp, `/app/hook/deliveries/${app.attempts[0]?.id}/attempts`, {})
  expect(compare(published, recorder.exchanges)).toEqual({ problems: [], unasked: [] })
})

const idOf = (of: string | { id?: string } | null | undefined) =>
  typeof of === 'string' ? of : (of?.id ?? '')
