import { classNames } from './class-names.ts'

interface SkeletonProps {
  className?: string
  /** Whether the content has exactly this size, so that what is below need not wait for it. */
  sized?: boolean
}

/** Loading placeholder with the size of the content. */
export const Skeleton = ({ className, sized = false }: SkeletonProps) => (
  <span
    aria-hidden
    data-pending={sized ? undefined : ''}
    className={classNames('block animate-breathe rounded-sm bg-pressed', className)}
  />
)

/** Stands in for a part that may turn out empty. What is below waits for it while the page loads. */
export const Pending = () => <span hidden data-pending="" />
