import { events } from '../../../contract/shared/events.ts'
import type { NotifiedEvent } from './rendered-message.ts'

/** As the audit log says it. */
export const eventSentence = ({ actor_name, type, target_name }: NotifiedEvent): string =>
  [actor_name, events[type], target_name].filter((part) => part !== null).join(' ')
