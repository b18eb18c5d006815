import { afterEach, describe, expect, test } from 'vitest'
import { finishLogin, getAuthOptions, logIn, redirectToLogin, signUp } from '../../../contract/auth.ts'
import { getInstance, listInstanceAudit } from '../../../contract/instance.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { makeUser, password, unique } from '../../../test/support/factories/factories.ts'
import { startFakeGitHub } from '../../../test/support/fakes/github.ts'
import { createSetupLinkAtStart, createSetupLink } from '../auth/setup-link.ts'

let slipway: TestSlipway
afterEach(() => slipway.close())

const newcomer = (setup?: string) => ({
  body: {
    organisation: 'Docks',
    email: `${unique('ada')}@example.com`,
    password,
    ...(setup === undefined ? {} : { setup }),
  },
})
const instanceOwners = () =>
  slipway.db.selectFrom('users').select('email').where('instance_owner', '=', true).execute()
const tokenIn = (link: string) => new URL(link).searchParams.get('setup') ?? ''

const local = { PUBLIC_URL: 'http://localhost:4000' }

describe('on loopback', () => {
  test('makes the first signup the instance owner and requires an invite for the second', async () => {
    slipway = await startSlipway({ SIGNUP: '', ...local })
    expect(await slipway.ok(getAuthOptions)).toMatchObject({ setup: 'open' })
    const ada = newcomer()
    await slipway.ok(signUp, ada)
    expect(await instanceOwners()).toEqual([{ email: ada.body.email }])
    expect(await slipway.ok(getAuthOptions)).toMatchObject({ setup: 'done', signup: 'invite' })
    await slipway.refused(signUp, newcomer(), 403, 'signup_closed')
    const { access_token: token } = await slipway.ok(logIn, { body: { email: ada.body.email, password } })
    await slipway.ok(getInstance, { token })
    const { entries } = await slipway.ok(listInstanceAudit, { token })
    expect(entries).toMatchObject([{ type: 'instance.set_up' }])
  })

  test.each([{ SIGNUP: '' }, { SIGNUP: 'open' }])(
    'creates exactly one instance owner from concurrent first sign-ups with %j',
    async (env) => {
      slipway = await startSlipway({ ...env, ...local })
      const got = await Promise.all(Array.from({ length: 6 }, () => slipway.call(signUp.key, newcomer())))
      expect(got.filter(({ status }) => status === 200)).toHaveLength(env.SIGNUP === 'open' ? 6 : 1)
      expect(await instanceOwners()).toHaveLength(1)
    },
  )
})

describe('on any other address', () => {
  test('requires the one-time setup link for the first account', async () => {
    slipway = await startSlipway({ HOST: '0.0.0.0', SIGNUP: '' })
    expect(await slipway.ok(getAuthOptions)).toMatchObject({ setup: 'link' })
    const outdated = tokenIn(await createSetupLink(slipway.ctx))
    const link = await createSetupLink(slipway.ctx)
    expect(link).toMatch(/^http:\/\/slipway\.test\/signup\?setup=sup_[\w-]{43}$/)
    for (const wrong of [undefined, '', 'sup_x', outdated]) {
      const got = await slipway.refused(signUp, newcomer(wrong), 403, 'setup_link_needed')
      expect(got.text).toContain('npm run admin -- setup-link')
    }
    expect(await instanceOwners()).toEqual([])
    const stored = JSON.stringify(await slipway.db.selectFrom('instance').selectAll().execute())
    for (const text of [stored, slipway.lines.join('\n')]) expect(text).not.toContain(tokenIn(link))

    const sent = [newcomer(tokenIn(link)), newcomer(tokenIn(link))]
    const got = await Promise.all(sent.map((one) => slipway.call(signUp.key, one)))
    expect(got.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await instanceOwners()).toHaveLength(1)
    await slipway.refused(signUp, newcomer(tokenIn(link)), 403, 'signup_closed')
    await expect(createSetupLink(slipway.ctx)).rejects.toMatchObject({ code: 'set_up_already' })
  })

  test.each([
    { HOST: '127.0.0.1', PUBLIC_URL: 'https://slipway.example.com' },
    { HOST: '127.0.0.1', ...local, TRUST_PROXY: 'loopback' },
  ])('requires the setup link behind a reverse proxy on the same machine: %j', async (env) => {
    slipway = await startSlipway({ ...env, SIGNUP: '' })
    expect(await slipway.ok(getAuthOptions)).toMatchObject({ setup: 'link' })
    await slipway.refused(signUp, newcomer(), 403, 'setup_link_needed')
  })

  test('confirms the address of an account created with the setup link without mail', async () => {
    slipway = await startSlipway({ HOST: '0.0.0.0', SIGNUP: '', SMTP_URL: 'smtp://127.0.0.1:1' })
    const { body } = newcomer(tokenIn(await createSetupLink(slipway.ctx)))
    await slipway.ok(signUp, { body })
    expect(await slipway.db.selectFrom('single_use_tokens').selectAll().execute()).toEqual([])
    await slipway.ok(logIn, { body: { email: body.email, password } })
  })

  test('completes startup while the first account is created', async () => {
    slipway = await startSlipway({ HOST: '0.0.0.0', SIGNUP: '' })
    for (let round = 0; round < 20; round++) {
      const starts = Array.from({ length: 5 }, () => createSetupLinkAtStart(slipway.ctx))
      const [user] = await Promise.all([makeUser(slipway.db), ...starts])
      expect(await createSetupLinkAtStart(slipway.ctx)).toBeUndefined()
      await slipway.db.deleteFrom('users').where('id', '=', user.id).execute()
    }
  })

  test('keeps the setup link valid after a rejected signup', async () => {
    slipway = await startSlipway({ HOST: '0.0.0.0', SIGNUP: '' })
    const setup = tokenIn(await createSetupLink(slipway.ctx))
    const { body } = newcomer(setup)
    await slipway.refused(signUp, { body: { ...body, password: 'password123' } }, 422)
    await slipway.ok(signUp, { body })
  })

  test('allows anyone to create the first account with SIGNUP=open', async () => {
    slipway = await startSlipway({ HOST: '0.0.0.0', SIGNUP: 'open' })
    expect(await slipway.ok(getAuthOptions)).toMatchObject({ setup: 'open' })
    await slipway.ok(signUp, newcomer())
  })

  test('requires the setup link for a GitHub signup as well', async () => {
    const github = await startFakeGitHub()
    github.addAccount('ada')
    slipway = await startSlipway({ ...github.env, HOST: '0.0.0.0', SIGNUP: '' })
    const signUpWithGitHub = async (setup?: string) => {
      const query = setup === undefined ? {} : { setup }
      const begun = await slipway.call(redirectToLogin.key, { query })
      const next = new URL(begun.headers['location'] ?? '')
      const sent = { query: Object.fromEntries(next.searchParams) }
      const { headers } = await slipway.call('GET /v1/auth/github/redirect', sent)
      const came = Object.fromEntries(await github.approve(headers['location'] ?? '', 'ada'))
      const cookie = (headers['set-cookie'] ?? '').split(';')[0] ?? ''
      return slipway.call(finishLogin.key, { body: came, headers: { cookie } })
    }
    try {
      const link = tokenIn(await createSetupLink(slipway.ctx))
      expect(await signUpWithGitHub()).toMatchObject({ status: 403, body: { code: 'setup_link_needed' } })
      expect(await instanceOwners()).toEqual([])
      expect(await signUpWithGitHub(link)).toMatchObject({ status: 200 })
      expect(await instanceOwners()).toHaveLength(1)
    } finally {
      await github.close()
    }
  })
})
