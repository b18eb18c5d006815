import { type ComponentProps, useState } from 'react'
import { classNames } from '../class-names.ts'
import { useFieldControl } from './field.tsx'
import { Eye, EyeOff } from 'lucide-react'

export const controlClasses = classNames(
  'w-full rounded-md border border-edge bg-raised text-ink transition-colors duration-100',
  'hover:border-faint focus:border-accent-ink focus:outline-2 focus:-outline-offset-1 focus:outline-accent-ink',
  'aria-invalid:border-red disabled:bg-subtle disabled:text-muted',
)

/** Attributes for names, paths and code, which the browser must not complete or correct. */
const codeAttributes = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

interface InputProps extends ComponentProps<'input'> {
  mono?: boolean
}

export function Input({ className, mono, ...rest }: InputProps) {
  const wiring = useFieldControl()
  // iOS zooms in on fields with text smaller than 16 px, so phones get that size.
  return (
    <input
      {...wiring}
      {...(mono && codeAttributes)}
      {...rest}
      className={classNames(
        controlClasses,
        'h-8 px-2.5 text-base read-only:bg-subtle read-only:text-muted max-sm:h-10 max-sm:text-lg',
        mono && 'font-mono',
        className,
      )}
    />
  )
}

interface TextareaProps extends ComponentProps<'textarea'> {
  mono?: boolean
}

export function Textarea({ className, mono, ...rest }: TextareaProps) {
  const wiring = useFieldControl()
  return (
    <textarea
      {...wiring}
      {...(mono && codeAttributes)}
      {...rest}
      className={classNames(
        controlClasses,
        'resize-y px-2.5 py-1.5 text-base leading-5 max-sm:text-lg',
        mono && 'font-mono text-sm',
        className,
      )}
    />
  )
}

export function PasswordInput(props: Omit<ComponentProps<typeof Input>, 'type'>) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input
        {...props}
        type={shown ? 'text' : 'password'}
        className="pr-9"
        spellCheck={false}
        autoCapitalize="off"
      />
      <button
        type="button"
        aria-label={shown ? 'Hide value' : 'Show value'}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 flex w-9 items-center justify-center rounded-md text-muted hover:text-ink"
      >
        <Icon className="size-4" aria-hidden />
      </button>
    </div>
  )
}
