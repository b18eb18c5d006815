import { Skeleton } from '../ui/skeleton.tsx'

/** Placeholder while user and workspace are loading. */
export function ShellSkeleton() {
  return (
    <div className="flex min-h-dvh" aria-busy="true">
      <div className="flex w-64 flex-col gap-6 border-r border-line bg-subtle p-4 max-md:hidden">
        <Skeleton className="h-6 w-32" />
        <div className="flex flex-col gap-4">
          <Skeleton className="h-4 w-20" />
          <Skeleton className="h-4 w-28" />
          <Skeleton className="h-4 w-24" />
        </div>
      </div>
      <main className="flex-1">
        <h1 className="sr-only">Loading</h1>
        <div className="h-12 border-b border-line" />
        <div className="p-6">
          <Skeleton className="h-7 w-48" />
        </div>
      </main>
    </div>
  )
}
