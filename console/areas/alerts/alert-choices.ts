import type { ReactNode } from 'react'
import type { TypedField } from '../../lib/form/typed-field.ts'
import type { Option } from '../../ui/form/select-list.tsx'

/** Options from other areas; undefined while loading. */
export interface AlertChoices {
  servers: readonly Option[] | undefined
  projects: readonly Option[] | undefined
  applications: readonly Option[] | undefined
  channels: readonly AlertChannel[] | undefined
  renderContainer: (serverId: string, field: TypedField) => ReactNode
}

export interface AlertChannel {
  id: string
  name: string
  /** Description, or the reason why the channel is failing. */
  help: string
}
