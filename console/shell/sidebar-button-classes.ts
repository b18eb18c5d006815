import { classNames } from '../ui/class-names.ts'

export const sidebarButtonClasses = (narrow: boolean) =>
  classNames(
    'flex w-full items-center gap-2 rounded-md text-left -outline-offset-2 hover:bg-hover active:bg-pressed',
    'aria-expanded:bg-hover',
    narrow ? 'h-8 justify-center' : 'min-h-10 px-2 py-1',
  )
