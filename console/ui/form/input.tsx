import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'
import { useFieldControl } from './field.tsx'

export const controlClasses = classNames(
  'w-full rounded-md border border-edge bg-raised text-ink transition-colors duration-100',
  'hover:border-faint focus:border-accent-ink focus:outline-2 focus:-outline-offset-1 focus:outline-accent-ink',
  'aria-invalid:border-red disabled:bg-subtle disabled:text-muted',
)

/** For names, paths and code, which the browser must not complete or correct. */
export const codeAttributes = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

interface InputProps extends ComponentProps<'input'> {
  mono?: boolean
}

export function Input({ className, mono, ...rest }: InputProps) {
  const wiring = useFieldControl()
  // iOS zooms in on fields with text smaller than 16 px.
  return (
    <input
      {...wiring}
      {...(mono && codeAttributes)}
      {...rest}
      className={classNames(
        controlClasses,
        'h-8 px-2.5 text-base max-sm:h-10 max-sm:text-lg',
        mono && 'font-mono',
        className,
      )}
    />
  )
}
