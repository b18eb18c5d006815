import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { events } from '../contract/shared/events.ts'
import { areas } from '../server/areas.ts'
import { createTestDatabase } from './support/run/database.ts'
import { below, code, offending, sources } from './support/run/sources.ts'

const database = await createTestDatabase()
afterAll(() => database.drop())

test('finds source files', () => {
  for (const folder of [
    'contract',
    'server/platform',
    'server/areas',
    'server/http',
    'console/areas',
    'console/ui',
  ])
    expect(below(folder).length).toBeGreaterThan(3)
  expect(offending(below('server/http'), ({ to }) => to === 'fastify')).not.toEqual([])
})

describe('imports between folders', () => {
  test('contract imports only zod and itself', () => {
    const strange = offending(below('contract'), ({ to, ours }) =>
      ours ? !to.startsWith('contract/') : to !== 'zod',
    )
    expect(strange).toEqual([])
  })

  test('server/platform imports only the contract and libraries', () => {
    const allowed = /^(contract|server\/platform)\/|^server\/root\.ts$/
    expect(offending(below('server/platform'), ({ to, ours }) => ours && !allowed.test(to))).toEqual([])
  })

  test('server/areas imports neither HTTP nor the worker', () => {
    const never = /^server\/(http|work)\/|^console\/|^server\/(main|open|areas)\.ts$/
    const strange = offending(below('server/areas'), ({ to, ours }) =>
      ours ? never.test(to) : /fastify/.test(to),
    )
    expect(strange).toEqual([])
  })

  test('only server/http imports Fastify', () => {
    const others = code.filter(({ path }) => !path.startsWith('server/http/'))
    expect(offending(others, ({ to, ours }) => !ours && /fastify/.test(to))).toEqual([])
  })

  test('server/http and server/work contain no SQL on tables of areas', () => {
    const worker = [...below('server/work'), ...below('server/http')].map(({ path, text }) => [
      path,
      /\b(select|insert|update|delete)\b .*\b(from|into|set)\b/.test(text),
    ])
    expect(worker.filter(([, found]) => found)).toEqual([])
  })

  test('console and server share only the contract', () => {
    expect(offending(below('console'), ({ to, ours }) => ours && to.startsWith('server/'))).toEqual([])
    expect(offending(below('server'), ({ to, ours }) => ours && to.startsWith('console/'))).toEqual([])
  })

  test('console/ui imports React and nothing of the product', () => {
    const strange = /^(contract|server)\/|^console\/(areas|pages|shell)\//
    expect(offending(below('console/ui'), ({ to, ours }) => ours && strange.test(to))).toEqual([])
  })

  test('console/areas import no other area and no page', () => {
    const strange = offending(below('console/areas'), ({ to, ours }, { path }) => {
      const [, , area] = path.split('/')
      return (
        ours &&
        (/^console\/(pages|shell)\//.test(to) ||
          (to.startsWith('console/areas/') && !to.startsWith(`console/areas/${area}/`)))
      )
    })
    expect(strange).toEqual([])
  })

  test('pages and shell send no requests themselves', () => {
    const files = [...below('console/pages'), ...below('console/shell')]
    expect(offending(files, ({ to }) => to === 'console/lib/http/call-api.ts')).toEqual([])
    expect(
      files.filter(({ text }) => /\bfetch\(|XMLHttpRequest|EventSource\(/.test(text)).map(({ path }) => path),
    ).toEqual([])
  })
})

describe('errors of the API in the console', () => {
  const screens = below('console').filter(({ path }) => !path.endsWith('.test.ts'))

  test('are never reduced to the fact that there is one', () => {
    const dropping = /\.isError\b|\bdata\b.*\bisError\b|Try again in a moment/
    const strange = screens.filter(({ text }) => dropping.test(text))
    expect(strange.map(({ path }) => path)).toEqual([])
  })

  test('are shown as toasts, except where another place shows them', () => {
    const elsewhere: Record<string, string> = {
      'console/areas/alerts/firing-count.ts': 'the Alerts screen reports it; the count is on every screen',
      'console/areas/alerts/queries.ts': 'the preview shows it while the alert is typed',
      'console/areas/auth/queries.ts': 'a required code or password is no failure; others are toasts',
      'console/areas/applications/new/new-queries.ts': 'the summary shows it while the form is filled in',
      'console/areas/billing/queries.ts': 'the dialog shows it beside the price, with the way out',
      'console/areas/commands/queries.ts': 'the specification shows it at the prompt',
      'console/areas/compose/compose-check.ts': 'the editor shows it while the file is typed',
      'console/areas/containers/queries.ts': 'the dialog shows it at the new name',
      'console/areas/domains/queries.ts': 'the DNS check runs in the background',
      'console/areas/integrations/queries.ts':
        'shown at the field; of branches the specification only logs it',
      'console/areas/notifications/queries.ts': 'the specification leaves the list of types empty',
      'console/areas/registries/queries.ts': 'shown below the image name while it is typed',
      'console/areas/servers/mutations.ts': 'the notice or step of the server shows it',
      'console/areas/templates/queries.ts': 'the editor shows it while the template is typed',
      'console/lib/http/use-api-mutation.ts': 'the text editor of entries shows it at the lines',
      'console/lib/http/query-client.ts': 'defines it',
      'console/lib/http/use-refresh-problem.ts': 'says the same of refetches',
    }
    const quiet = screens.filter(({ text }) =>
      /meta\??: \{ quiet\b|\.meta\?\.quiet|quiet\?: boolean/.test(text),
    )
    expect(quiet.map(({ path }) => path).toSorted()).toEqual(Object.keys(elsewhere).toSorted())
  })
})

describe('areas', () => {
  const order = areas.map(({ name }) => name)
  const areaOf = (path: string) => /^server\/areas\/([^/]+)\//.exec(path)?.[1]

  test('are all listed in areas.ts, lowest first', () => {
    const folders = new Set(below('server/areas').map(({ path }) => areaOf(path) ?? ''))
    expect([...folders].toSorted()).toEqual(order.toSorted())
  })

  test('import only earlier areas, never their area.ts, stores, routes or jobs', () => {
    const strange = offending(below('server/areas'), ({ to, ours }, { path }) => {
      const [from, other] = [areaOf(path) ?? '', areaOf(to)]
      if (!ours || !other || other === from) return false
      return order.indexOf(other) > order.indexOf(from) || /\/(area|store|routes|jobs)\.ts$/.test(to)
    })
    expect(strange).toEqual([])
  })

  test('are imported by main.ts and the worker through areas.ts only', () => {
    const files = [...below('server/work'), ...code.filter(({ path }) => path === 'server/main.ts')]
    expect(offending(files, ({ to, ours }) => ours && areaOf(to) !== undefined)).toEqual([])
  })

  test('emit every event of the contract', () => {
    const all = below('server')
      .map(({ text }) => text)
      .join('\n')
    expect(Object.keys(events).filter((type) => !all.includes(`'${type}'`))).toEqual([])
  })
})

test('types are named after what they hold', () => {
  const vague =
    /\b(?:type|interface) (Asked|Called|Came|Done|Found|Given|Got|Held|Kept|Known|Left|Made|Meant|Named|Of|Opened|Places?|Said|Seen|Sent|Shown|Taken|Told|Wanted)\b(?! \w)/g
  const found = code.flatMap(({ path, text }) =>
    [...text.matchAll(vague)].map(([, name]) => `${path}: ${name}`),
  )
  expect(found).toEqual([])
})

describe('run-time state', () => {
  /** Constants that are built at first use, and values that belong to one request, event or transaction. */
  const allowed = new Set([
    'server/areas/alerts/maintenance-windows.ts#formats',
    'server/areas/compose/check/validate-compose-file.ts#answers',
    'server/areas/compose/check/schema-findings.ts#validate',
    'server/areas/templates/catalog.ts#catalog',
    'server/http/api-reference.ts#cached',
    'server/http/request-body.ts#responses',
    'server/http/mount.ts#callers',
    'server/http/openapi.ts#cachedDocument',
    'server/http/sse.ts#written',
    'server/platform/passwords.ts#longOnes',
    // The pool of worker threads is limited by the cores of the machine.
    'server/platform/worker-thread.ts#queued',
    'server/platform/worker-thread.ts#threads',
    'server/platform/worker-thread.ts#queue',
    'server/platform/worker-thread.ts#idle',
  ])
  const holders = [
    /^(?:export )?let (\w+)/gm,
    /^(?:export )?const (\w+)[^=\n]*= new (?:WeakMap|\w*Cache|EventEmitter)\b/gm,
    // A map or list without content is filled at run time.
    /^(?:export )?const (\w+)(?:: (?!readonly)[^=\n]*)? = (?:new Map(?:<.*>)?\(\)|\[\])$/gm,
    /^(?:export )?const (\w+)[^=\n]*= create(?:KeyedMutex|Semaphore|Limiter|FairQueue)\b/gm,
  ]
  const found = below('server')
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) =>
      holders.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => `${path}#${name}`)),
    )

  test('is a field of the context, created in process-state.ts, never a module variable', () => {
    expect(found.filter((place) => !allowed.has(place))).toEqual([])
  })

  test('has no unused exceptions', () => {
    expect([...allowed].filter((place) => !found.includes(place))).toEqual([])
  })
})

test('checks permissions of the caller, not only the role, because an API token may have fewer', () => {
  const others = below('server').filter(({ path }) => path !== 'server/http/authorize.ts')
  const strange = others.filter(
    ({ path, text }) => !path.endsWith('.test.ts') && /\bmay\([\w.]*workspace\.role/.test(text),
  )
  expect(strange.map(({ path }) => path)).toEqual([])
})

describe('stores', () => {
  /** Functions about users, who belong to no workspace, or that find a row by a secret. */
  const ofPeople: Record<string, string> = {
    'server/areas/auth/store.ts': 'users, sessions and links belong to people, who may be in many workspaces',
    'server/areas/workspaces/store.ts#listMemberships': 'the workspaces of one person',
    'server/areas/workspaces/store.ts#listPlanAccessRows':
      'what is forgotten after a while is that of all workspaces',
    'server/areas/workspaces/store.ts#consumeInvite': 'the secret token is what names the workspace',
    'server/areas/workspaces/store.ts#findInvite': 'the secret token is what names the workspace',
    'server/areas/imports/store.ts#findImportToken': 'the secret token is what names the workspace',
    'server/areas/imports/store.ts#markTokenUsed': 'the secret token is what names the workspace',
    'server/areas/webhooks/delivery.ts#listWorkspacesOfInstallation':
      'the installation is what names the workspaces, once its signature was checked',
    'server/areas/webhooks/delivery.ts#listReceivedGuids':
      'GitHub sends a delivery once, for all workspaces; only its arrival is reported',
    'server/areas/billing/store.ts#findWorkspaceByCustomer':
      'the customer is what names the workspace, once the signature of Stripe was checked',
    'server/areas/billing/store.ts#recordStripeEvent':
      'Stripe sends an event once, whichever workspace it is for',
    'server/areas/billing/store.ts#listSubscribed': 'all are reconciled with Stripe, each on its own',
    'server/areas/billing/store.ts#listDueForSync': 'all are looked at, each on its own',
    'server/areas/billing/store.ts#insertDepartedCustomer': 'a customer that no workspace has any more',
    'server/areas/billing/store.ts#findDepartedCustomer': 'its workspace is gone',
    'server/areas/billing/store.ts#listDepartedCustomers': 'their workspaces are gone',
    'server/areas/billing/store.ts#markDepartedCustomerEnded': 'its workspace is gone',
    'server/areas/instance/store.ts': 'instance owners see and manage all people and workspaces',
    'server/areas/feedback/store.ts': 'feedback is for the operator, and stays when its workspace goes',
    'server/areas/workspaces/store.ts#insertWorkspace': 'makes the workspace itself',
    'server/areas/proxies/read-routing.ts': 'rows are found by the server, which the caller has looked up',
    'server/areas/notifications/store.ts#insertMessage': 'the message names its workspace',
    'server/areas/notifications/store.ts#updateMessage': 'the message names its workspace',
    'server/areas/servers/watch/store.ts': 'a process watches the servers of all workspaces, by its lease',
  }
  /** These files hold queries, too. */
  const rowFiles = [
    'application',
    'delivery',
    'deployment',
    'instance',
    'integration',
    'list-servers',
    'present-deployment',
    'present-server',
    'read-deliveries',
    'read-routing',
    'release',
    'server',
  ].map((name) => `/${name}.ts`)
  const isStore = (path: string) => path.endsWith('/store.ts')
  const stores = below('server/areas').filter(
    ({ path }) => isStore(path) || rowFiles.some((name) => path.endsWith(name)),
  )
  const functions = stores.flatMap(({ path, text }) =>
    [
      ...text.matchAll(
        /export (?:async )?(?:function|const) (\w+)(?: = (?:async )?)?\(([^]*?)\)(?::[^\n]*)? (?:=>|\{)/g,
      ),
    ]
      .map(([, name = '', given = '']) => ({ place: `${path}#${name}`, path, given }))
      // Others cannot query.
      .filter(({ given }) => (isStore(path) ? /\b(Db|Trx)\b|: Context\b/ : /\bdb: Db\b/).test(given)),
  )

  test('take a workspace ID in every function except those about users', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where column_name = 'workspace_id' and is_nullable = 'NO'`.execute(database.db)
    const carrying = new Set(rows.map(({ name }) => name))
    const takes = (given: string) => {
      const table = /Insertable<Tables\['(\w+)'\]>/.exec(given)?.[1]
      return /workspaceId: Id<'workspace'>/.test(given) || (table !== undefined && carrying.has(table))
    }
    expect(functions.length).toBeGreaterThan(15)
    const free = functions.filter(
      ({ place, path, given }) => !takes(given) && !(place in ofPeople) && !(path in ofPeople),
    )
    expect(free.map(({ place }) => place)).toEqual([])
  })

  test('have no unused exceptions', () => {
    const places = new Set(functions.flatMap(({ place, path }) => [place, path]))
    expect(Object.keys(ofPeople).filter((place) => !places.has(place))).toEqual([])
  })
})

test('tables.ts matches the columns and nullability of the migrations', async () => {
  const { rows } = await sql<{ name: string; column: string; empty: string }>`
    select table_name as name, column_name as column, is_nullable as empty from information_schema.columns
    where table_schema = 'public' and table_name <> 'migrations'`.execute(database.db)
  const made = rows.map(({ name, column, empty }) => `${name}.${column}${empty === 'YES' ? ' or null' : ''}`)
  const text = sources.find(({ path }) => path === 'server/tables.ts')?.text ?? ''
  const body = /export interface Tables \{\n([^]*?)\n\}/.exec(text)?.[1] ?? ''
  const written = [...body.matchAll(/(?:^|\n) {2}(\w+): \{([^]*?)\}(?=\n|$)/g)].flatMap(
    ([, table, columns = '']) =>
      [...columns.matchAll(/(\w+): ([^;\n]+)/g)].map(
        ([, column, type = '']) => `${table}.${column}${/\| null/.test(type) ? ' or null' : ''}`,
      ),
  )
  expect(written.toSorted()).toEqual(made.toSorted())
})
