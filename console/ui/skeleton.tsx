import { classNames } from './class-names.ts'

/** Stands where something will come; give it the size of what comes. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames('block animate-breathe rounded-sm bg-pressed', className)} />
}
