export const templateExample = `name: My application
description: A short summary in one line.
category: other
memory: 512 MB
http:
  service: web
  port: 80
inputs:
  - name: TITLE
    label: Site title
    type: text
    default: Hello
  - name: SECRET_KEY
    label: Secret key
    generate: hex
notes: |
  Open the application URL.
`

export const composeExample = `services:
  web:
    image: nginx:1.27.5
    environment:
      TITLE: \${TITLE}
      SECRET_KEY: \${SECRET_KEY}
    volumes:
      - data:/data
    healthcheck:
      test: ["CMD", "curl", "-fsS", "http://localhost/"]
      interval: 10s

volumes:
  data:
`
