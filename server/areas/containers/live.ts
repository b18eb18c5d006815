import { sql } from 'kysely'

/** True while a worker with a valid lease follows the server's Docker events, so that rows are current. */
export const containersAreLive = (servers: string) => sql<boolean>`(${sql.ref(`${servers}.containers_live`)}
  and ${sql.ref(`${servers}.watched_until`)} > now() and ${sql.ref(`${servers}.status`)} = 'ready')`
