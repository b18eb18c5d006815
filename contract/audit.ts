import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id } from './shared/ids.ts'
import { text, time } from './shared/text-fields.ts'
import { pagedList, pageQuery } from './shared/replies.ts'

export const auditEntry = z.object({
  id: id('event'),
  type: z.string(),
  summary: z.string().describe('Description of the event, such as `created project`.'),
  actor: z.object({ id: z.string().nullable(), name: z.string(), via: z.string() }),
  target: z.object({ kind: z.string(), id: z.string(), name: z.string() }).nullable(),
  detail: z.string().nullable().describe('Details that follow the name of the target, such as `to admin`.'),
  address: z.string().nullable(),
  created_at: time,
})

export const listAudit = endpoint('GET /v1/audit', {
  access: 'audit.read',
  summary: 'List audit log entries, newest first',
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: pagedList('entries', auditEntry),
})

export const exportAudit = endpoint('GET /v1/audit/export', {
  access: 'audit.read',
  summary: 'Export the audit log as CSV',
  query: z.strictObject({ q: text(100).optional() }),
  kind: 'file',
  type: 'text/csv',
  reply: z.string(),
})
