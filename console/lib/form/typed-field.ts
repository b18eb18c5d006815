/** Field rendered by another area than its form. */
export interface TypedField {
  name: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}
