/** A template with an input of every type. */
export const template = `name: Shop
description: Sells things.
category: business
memory: 4 GB
http: { service: web, port: 8000 }
inputs:
  - { name: MAIL, label: Email, type: email }
  - { name: SIZE, label: Size, type: number, default: 3, min: 1, max: 9 }
  - { name: OPEN, label: Open, type: boolean, default: false }
  - { name: PLAN, label: Plan, type: choice, choices: [free, paid], default: free }
  - { name: HOOK, label: Hook, type: url, required: false }
  - { name: TITLE, label: Title, default: "Shop of \${MAIL}", pattern: "^[^<>]*$", max: 40 }
  - { name: KEY, generate: { kind: hex, length: 16 } }
  - { name: PASSWORD, generate: password }
  - { name: SITE, label: Address, generate: domain }
notes: Open \${SITE_URL} and log in as \${MAIL}.
`

export const compose = `services:
  web:
    image: shop:1.2.3
    environment:
      ALL: "\${MAIL} \${SIZE} \${OPEN} \${PLAN} \${HOOK} \${TITLE} \${KEY} \${PASSWORD} \${SITE}"
  db:
    image: postgres:17.2
    environment: { POSTGRES_PASSWORD: "\${PASSWORD}" }
`
