import { Time } from '../../ui/time.tsx'

/** Above what was found before, while whoever was asked is away. */
export const StaleLine = ({ since }: { since: string | null }) =>
  since && (
    <p className="text-sm text-yellow-ink">
      The registry does not answer at the moment. This is what it said <Time at={since} />.
    </p>
  )
