export const popoverClasses =
  'z-50 max-h-(--radix-popper-available-height) max-w-[min(20rem,calc(100vw-1rem))] overflow-y-auto rounded-lg ' +
  'border border-line bg-raised text-ink shadow-float animate-rise'

export const menuItemClasses =
  'relative flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-base text-ink outline-none select-none ' +
  'max-sm:py-2.5 data-[highlighted]:bg-hover aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0 ' +
  '[&>svg]:text-muted'
