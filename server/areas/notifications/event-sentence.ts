import { events } from '../../../contract/shared/events.ts'
import type { NotifiedEvent } from './rendered-message.ts'

/** Uses the wording of the audit log. */
export const eventSentence = ({ actor_name, type, target_name }: NotifiedEvent): string =>
  [actor_name, events[type], target_name].filter((part) => part !== null).join(' ')
