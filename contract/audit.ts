import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, text, time } from './shared/ids.ts'
import { listOf, pageQuery } from './shared/page.ts'

export const auditEntry = z.object({
  id: id('event'),
  type: z.string(),
  says: z.string().meta({ description: 'What was done, in words.' }),
  actor: z.object({ id: z.string().nullable(), name: z.string(), via: z.string() }),
  target: z.object({ kind: z.string(), id: z.string(), name: z.string() }).nullable(),
  detail: z.string().nullable().meta({ description: 'What follows the target, such as `to admin`.' }),
  address: z.string().nullable(),
  created_at: time,
})

export const listAudit = endpoint('GET /v1/audit', {
  access: 'audit.read',
  summary: 'Who did what to what, when and from where; newest first',
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: listOf('entries', auditEntry),
})

export const exportAudit = endpoint('GET /v1/audit/export', {
  access: 'audit.read',
  summary: 'The whole audit log as CSV',
  kind: 'file',
  type: 'text/csv',
  reply: z.string(),
})
