import { sql } from 'kysely'

/** The rows of a server's containers are what is there now: somebody follows the changes, and has not been cut off or killed. */
export const containersAreLive = (servers: string) => sql<boolean>`(${sql.ref(`${servers}.containers_live`)}
  and ${sql.ref(`${servers}.watched_until`)} > now() and ${sql.ref(`${servers}.status`)} = 'ready')`
