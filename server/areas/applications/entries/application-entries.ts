import type { EventType } from '../../../../contract/shared/events.ts'
import { assertNotCompose } from '../compose.ts'
import type { EntryKind } from './entry-list.ts'
import type { Entry } from './entries-store.ts'
import { emitApplicationChange } from '../emit-change.ts'
import { withLockedApplication } from '../with-application.ts'

/** Defines how entries of an application are locked and changed. `plural` starts the error for compose applications. */
export const applicationEntries = (
  event: EventType & `application.${string}`,
  plural?: string,
): Pick<EntryKind<Entry, unknown>, 'within' | 'note'> => ({
  within: (ctx, actor, id, work) =>
    withLockedApplication(ctx, actor, id, (trx, application) => {
      if (plural) assertNotCompose(application, plural)
      return work(trx, application)
    }),
  note: (trx, actor, application, names) => emitApplicationChange(trx, actor, application, event, names),
})
