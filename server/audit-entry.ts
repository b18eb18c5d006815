import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { auditEntry } from '../contract/audit.ts'
import type { Tables } from './tables.ts'

type Row = Omit<Selectable<Tables['events'] | Tables['instance_events']>, 'workspace_id'>

/** `summary` is the sentence without its initiator. */
export const toAuditEntry = (row: Row, summary: string): z.input<typeof auditEntry> => ({
  id: row.id,
  type: row.type,
  summary,
  actor: { id: row.actor_id, name: row.actor_name, via: row.via },
  target:
    row.target_kind && row.target_id
      ? { kind: row.target_kind, id: row.target_id, name: row.target_name ?? '' }
      : null,
  detail: row.detail,
  address: row.address,
  created_at: row.created_at.toISOString(),
})
