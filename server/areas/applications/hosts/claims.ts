import { sql } from 'kysely'
import type { Db } from '../../../tables.ts'

// Several workspaces may use the same machine, so claims are looked up by machine.

/** Oldest first, with the ports that the proxy listens on. */
export const listListenersOn = (db: Db, machine: string) =>
  db
    .selectFrom('servers')
    .select((of) => [
      'id',
      of.fn.coalesce('http_port_used', 'http_port').as('http_port'),
      of.fn.coalesce('https_port_used', 'https_port').as('https_port'),
      of('http_port_used', 'is not', null).as('is_set_up'),
      of.fn.coalesce('machine_since', 'created_at').as('since'),
    ])
    .where('machine', '=', machine)
    .orderBy('since')
    .orderBy('id')
    .execute()

/** A route counts as claimed from the time its server was identified as this machine. */
const since = (created: 'd.created_at' | 'p.created_at') =>
  sql<Date>`greatest(${sql.ref(created)}, s.machine_since)`

export const listDomainsOn = (db: Db, machine: string) =>
  db
    .selectFrom('domains as d')
    .innerJoin('applications as a', 'a.id', 'd.application_id')
    .innerJoin('servers as s', 's.id', 'a.server_id')
    // Only names that the workspace holds are routed.
    .innerJoin('host_names as n', (on) =>
      on.onRef('n.workspace_id', '=', 'd.workspace_id').onRef('n.host', '=', 'd.host'),
    )
    .select((of) => [
      'd.id',
      'd.workspace_id',
      'd.application_id',
      'a.name',
      'd.service',
      'd.host',
      'd.path',
      'd.port',
      'd.https',
      of.fn.coalesce('s.https_port_used', 's.https_port').as('https_port'),
    ])
    .where('s.machine', '=', machine)
    .where('a.deleting_at', 'is', null)
    .orderBy(since('d.created_at'))
    .orderBy('d.id')
    .execute()

export const listPortsOn = (db: Db, machine: string) =>
  db
    .selectFrom('published_ports as p')
    .innerJoin('applications as a', 'a.id', 'p.application_id')
    .innerJoin('servers as s', 's.id', 'a.server_id')
    .select([
      'p.id',
      'p.workspace_id',
      'p.application_id',
      'a.name',
      'p.service',
      'p.host',
      'p.source',
      'p.target',
      since('p.created_at').as('since'),
    ])
    .where('s.machine', '=', machine)
    .where('a.deleting_at', 'is', null)
    .orderBy('p.source')
    .orderBy('since')
    .orderBy('p.id')
    .execute()
