import type { z } from 'zod'
import type { message } from '../../../contract/notifications.ts'

/** What a message says, before a channel gives it its form. All of it is plain text that others have written: a channel escapes it. */
export interface MessageContent {
  kind: z.output<typeof message>['kind']
  severity: z.output<typeof message>['severity']
  /** What a channel was asked to be told of, or `test`. */
  event: string
  /** One line. */
  title: string
  /** A sentence or two. */
  text: string
  facts: { label: string; value: string }[]
  /** The last lines of a log. */
  lines: string[]
  /** Where the console shows it. */
  link: { label: string; url: string }
  at: string
  workspace: { id: string; name: string }
  /** For programs: the ids of what it is about, such as `incident_id`. */
  ids: Record<string, string>
}
