import { classNames } from './class-names.ts'

interface SkeletonProps {
  className?: string
  /** The content has exactly this size, so what is below does not wait for it. */
  sized?: boolean
}

/** Loading placeholder; give it the size of the content. */
export const Skeleton = ({ className, sized = false }: SkeletonProps) => (
  <span
    aria-hidden
    data-pending={sized ? undefined : ''}
    className={classNames('block animate-breathe rounded-sm bg-pressed', className)}
  />
)

/** In place of a part that may turn out empty: what is below waits for it while the page loads. */
export const Pending = () => <span hidden data-pending="" />
