import { Notice } from '../../ui/notice.tsx'
import { Day } from '../../ui/time.tsx'
import { KeepButton } from './keep-button.tsx'
import type { Subscription } from './queries.ts'

/** The plan was cancelled, and goes on for a while. */
export function EndingNotice({ subscription: { plan, cancel_at: end } }: { subscription: Subscription }) {
  if (end === null) return null
  return (
    <Notice
      tone="yellow"
      title="The plan was cancelled"
      action={<KeepButton plan={plan}>Keep plan</KeepButton>}
    >
      Everything goes on as it is until <Day at={end} />. After that nothing can be deployed or changed
      without a plan; applications keep running.
    </Notice>
  )
}
