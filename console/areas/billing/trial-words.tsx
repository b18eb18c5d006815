import { Day } from '../../ui/time.tsx'
import { useNow } from '../../ui/format/use-now.ts'

/** Stripe lets a trial go on only where two days of it are left; a little more, for the time that paying takes. */
const least = 50 * 3_600_000

/** When the trial ends, and from when on a plan is paid for. */
export function TrialWords({ end, owns }: { end: string; owns: boolean }) {
  const left = new Date(end).getTime() - useNow()
  return (
    <>
      The trial ends on <Day at={end} />.{' '}
      {owns &&
        (left > least
          ? 'Choose now, and you pay from that day on.'
          : 'A plan that is chosen now is paid for at once.')}
    </>
  )
}
