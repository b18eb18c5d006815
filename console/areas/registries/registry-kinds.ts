import type { Registry } from './queries.ts'

type Kind = Registry['kind']

interface KindWords {
  label: string
  /** What is typed as the password. */
  secret: string
  help: string
  /** Whether its host is asked for, and which one it is otherwise. */
  host: 'asked' | 'fixed' | 'optional'
  placeholder: string
}

export const kinds: Record<Kind, KindWords> = {
  docker_hub: {
    label: 'Docker Hub',
    secret: 'Access token',
    help: 'Made in your account settings at Docker Hub, with the right to read. A password does too, where two-factor authentication is off.',
    host: 'fixed',
    placeholder: 'docker.io',
  },
  ghcr: {
    label: 'GitHub (ghcr.io)',
    secret: 'Personal access token',
    help: 'A classic token of GitHub with the scope read:packages.',
    host: 'fixed',
    placeholder: 'ghcr.io',
  },
  gitlab: {
    label: 'GitLab',
    secret: 'Deploy token',
    help: 'A deploy token, or a personal access token, with the scope read_registry.',
    host: 'optional',
    placeholder: 'registry.gitlab.com',
  },
  other: {
    label: 'Another registry',
    secret: 'Password or token',
    help: 'It is sealed, and never shown again.',
    host: 'asked',
    placeholder: 'registry.example.com:5000',
  },
}

const order: Kind[] = ['docker_hub', 'ghcr', 'gitlab', 'other']
export const kindOptions = order.map((value) => ({ value, label: kinds[value].label }))

export const isKind = (value: string): value is Kind => value in kinds
