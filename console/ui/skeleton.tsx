import { classNames } from './class-names.ts'

/** Loading placeholder; give it the size of the content. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames('block animate-breathe rounded-sm bg-pressed', className)} />
}
