// @ts-check
// The least that could serve the same list: Fastify, pg, one query. No authentication, no schema, no contract.
import { fastify } from 'fastify'
import pg from 'pg'

const { BARE_PORT, BARE_SOCKET, BARE_WORKSPACE, BARE_QUERY = '' } = process.env
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ host: BARE_SOCKET, user: 'slipway', database: 'slipway', max: 10 })
const app = fastify()
app.get('/list', async () => {
  const { rows } = await pool.query(BARE_QUERY, [BARE_WORKSPACE, BARE_WORKSPACE, 51])
  return { entries: rows.slice(0, 50), page: { next: rows[49]?.id ?? null, total: rows[0]?.total ?? 0 } }
})
await app.listen({ port: Number(BARE_PORT), host: '127.0.0.1' })
