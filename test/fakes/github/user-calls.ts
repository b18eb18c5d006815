import { type Call, json, missing, page, Refusal } from './answer.ts'
import { asInstallation, asUser } from './authenticate.ts'
import { showAccount, showInstallation } from './show.ts'
import type { GitHubAccount, Installation } from './state.ts'

export function getUser(call: Call) {
  const { account } = asUser(call)
  return json(call, 200, { ...showAccount(call.state, account), name: account.name, email: null })
}

/** An app's person has no scopes: what the app may see of them stands in its permissions. */
export function listEmails(call: Call) {
  const { account, app } = asUser(call)
  if (!app.permissions['email_addresses']) throw new Refusal(403, 'Resource not accessible by integration')
  return json(
    call,
    200,
    account.emails.map((email) => ({ ...email, visibility: null })),
  )
}

/** Those of the app that the person can do something with, be it only as a member. */
export function listUserInstallations(call: Call) {
  const { account, app } = asUser(call)
  const all = [...call.state.installations.values()].filter(
    (one) => one.app === app && !one.suspendedAt && belongsTo(one, account),
  )
  const { items, headers } = page(call, all)
  const installations = items.map((one) => showInstallation(call.state, one))
  return json(call, 200, { total_count: all.length, installations }, headers)
}

const belongsTo = ({ account }: Installation, person: GitHubAccount) =>
  account === person || person.login in account.members

export function getMembership(call: Call) {
  const { state, params } = call
  const { installation } = asInstallation(call, 'members')
  const organization = state.accounts.get(params['org'] ?? '')
  const person = state.accounts.get(params['login'] ?? '')
  const role = organization?.members[person?.login ?? '']
  if (!organization || !person || !role || organization !== installation.account) throw missing()
  return json(call, 200, {
    url: `${state.url}/orgs/${organization.login}/memberships/${person.login}`,
    state: 'active',
    role,
    user: showAccount(state, person),
    organization: showAccount(state, organization),
  })
}
