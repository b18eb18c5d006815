import { Time } from '../../ui/time.tsx'

/** Shown above cached results while the registry is unreachable. */
export const StaleResultsNotice = ({ since }: { since: string | null }) =>
  since && (
    <p className="text-sm text-yellow-ink">
      The registry is not responding. Showing results from <Time at={since} />.
    </p>
  )
