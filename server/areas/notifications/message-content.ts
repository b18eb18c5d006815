import type { z } from 'zod'
import type { message } from '../../../contract/notifications.ts'

/** A message before a channel formats it. All of it is untrusted plain text, which the channel must escape. */
export interface MessageContent {
  kind: z.output<typeof message>['kind']
  severity: z.output<typeof message>['severity']
  /** The notice that the channel selected, or `test`. */
  event: string
  title: string
  text: string
  facts: { label: string; value: string }[]
  lines: string[]
  /** Link to the console. */
  link: { label: string; url: string }
  at: string
  workspace: { id: string; name: string }
  /** Machine-readable IDs of related objects, such as `incident_id`. */
  ids: Record<string, string>
}
