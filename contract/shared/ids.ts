import { z } from 'zod'
import { text } from './text-fields.ts'

/** IDs contain their kind and sort by time: `srv_01jd…`. */
export const kinds = {
  user: 'usr',
  session: 'ses',
  accountEvent: 'act',
  workspace: 'wsp',
  member: 'mem',
  invite: 'inv',
  apiToken: 'tok',
  event: 'evt',
  project: 'prj',
  projectVariable: 'pev',
  registry: 'reg',
  template: 'tpl',
  feedback: 'fbk',
  cloudToken: 'cld',
  server: 'srv',
  setup: 'set',
  command: 'cmd',
  pull: 'pul',
  application: 'app',
  variable: 'env',
  label: 'lab',
  volume: 'vol',
  publishedPort: 'prt',
  domain: 'dom',
  certificate: 'crt',
  instance: 'ins',
  release: 'rel',
  deployment: 'dep',
  integration: 'int',
  delivery: 'dlv',
  alert: 'alr',
  incident: 'inc',
  notification: 'ntf',
  message: 'msg',
  job: 'job',
  savedLog: 'log',
} as const

export type Kind = keyof typeof kinds
export type Id<K extends Kind> = `${(typeof kinds)[K]}_${string}`

// The kind is checked only by the compiler: validating it would turn a 404 into a 422.
const idSchema = <K extends Kind>(schema: z.ZodString, _kind: K) =>
  schema as unknown as z.ZodType<Id<K>, string>

export const id = <K extends Kind>(kind: K) => idSchema(z.string(), kind)

/** Schema of a reference in a reply, for an object that has an endpoint of its own. */
export const reference = <K extends Kind>(kind: K) => z.object({ id: id(kind), name: z.string() })

/** Schema of an ID in a request. An invalid ID finds no object, so the response is 404. */
export const idInput = <K extends Kind>(kind: K) => idSchema(text(64), kind)
