import { Switch as Radix } from 'radix-ui'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { SideLabel } from '../side-label.tsx'

interface SwitchProps extends Omit<ComponentProps<typeof Radix.Root>, 'children' | 'className'> {
  label: ReactNode
  help?: ReactNode
  /** In a table, where it is plain what it is of: its name is there for who does not see it. */
  bare?: boolean
}

/** Takes effect at once; for what waits for a Save button take a Checkbox. */
export function Switch({ label, help, bare = false, ...rest }: SwitchProps) {
  const id = useId()
  return (
    <div className={bare ? 'flex' : 'flex items-start justify-between gap-6'}>
      {bare ? (
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
      ) : (
        <SideLabel id={id} label={label} help={help} />
      )}
      <Radix.Root
        id={id}
        aria-describedby={help ? `${id}-help` : undefined}
        {...rest}
        className="relative mt-0.5 h-5 w-9 shrink-0 rounded-full bg-faint transition-colors duration-100 data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-4 translate-x-0.5 rounded-full bg-on-accent transition-transform duration-100 data-[state=checked]:translate-x-[18px]" />
      </Radix.Root>
    </div>
  )
}
