import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { useWiring } from './field.tsx'
import { controlLook } from './input.tsx'

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  const wiring = useWiring()
  return (
    <textarea
      rows={4}
      {...wiring}
      {...rest}
      className={classNames(controlLook, 'px-2.5 py-1.5 font-mono text-sm max-sm:text-lg', className)}
    />
  )
}
