import { Day } from '../../ui/time.tsx'
import { useNow } from '../../ui/format/use-now.ts'

/** Stripe keeps a trial only if at least two days are left; allow some time for the checkout. */
const least = 50 * 3_600_000

export function TrialNotice({ end, owns }: { end: string; owns: boolean }) {
  const left = new Date(end).getTime() - useNow()
  return (
    <>
      The trial ends on <Day at={end} />.{' '}
      {owns &&
        (left > least
          ? 'Choose a plan now; the first payment is due on that day.'
          : 'A plan chosen now is charged immediately.')}
    </>
  )
}
