import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Field } from '../../ui/form/field.tsx'
import type { InstanceSettings } from './queries.ts'

type Setting = InstanceSettings[keyof InstanceSettings]

export const isFixed = ({ source }: Setting) => source === 'environment'

interface SettingFieldProps {
  setting: Setting
  label: string
  help: string
  error: string | undefined
  children: ReactNode
}

/** Settings from the environment are read-only. */
export function InstanceSettingField({ setting, label, help, error, children }: SettingFieldProps) {
  return (
    <Field
      label={label}
      help={isFixed(setting) ? fixedHelp(setting) : help}
      error={error}
      aside={isFixed(setting) && <Badge tone="neutral">Environment</Badge>}
    >
      {children}
    </Field>
  )
}

export const fixedHelp = ({ variable }: Setting) =>
  `Set by the environment variable ${variable}. Change it there and restart Slipway.`
