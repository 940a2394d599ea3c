import { describe, expect, test } from 'vitest'
import { isRedirectUrl } from './redirect-url.ts'

describe('a buyer can be sent to', () => {
  test.each([
    'https://shop.example.com/paid?order=1#top',
    `https://shop.example.com/${'a'.repeat(2023)}`,
    `data:application/json;base64,${'a'.repeat(19_000)}`,
    'HTTPS://shop.example.com',
    'http://localhost:3000',
    'myapp://paid',
    'myapp:paid',
    'myapp://paid/now?order=1#top',
    'com.example.app://return',
    'com.example.shop:/paid',
    'my-app+v2:paid',
    'urn:isbn:0451450523',
  ])('%.50s', (url) => {
    expect(isRedirectUrl(url)).toBe(true)
  })
})

describe('a buyer cannot be sent to', () => {
  test.each([
    ['nowhere', ''],
    ['something relative', '/paid'],
    ['what has no scheme', 'shop'],
    ['a script', 'javascript:alert(1)'],
    ['a script in capitals', 'JavaScript:alert(1)'],
    ['a script that looks like a link', 'javascript://shop.example.com/%0Aalert(1)'],
    ['a script behind a space', ' javascript:alert(1)'],
    ['a script with a tab in it', 'java\tscript:alert(1)'],
    ['a script with a new line in it', 'java\nscript:alert(1)'],
    ['a script behind a control character', '\u0001javascript:alert(1)'],
    ['an old script', 'vbscript:msgbox(1)'],
    ['a script in a feed', 'feed:javascript:alert(1)'],
    ['a script in an archive', 'jar:javascript:alert(1)!/'],
    ['an intent', 'intent://paid#Intent;scheme=myapp;package=com.example.shop;end'],
    ['an intent in capitals', 'INTENT://paid#Intent;end'],
    ['an archive', 'jar:https://shop.example.com/a.jar!/x.html'],
    ['a feed', 'feed:https://shop.example.com/feed'],
    ['a page of Chrome', 'chrome://settings'],
    ['an extension of Chrome', 'chrome-extension://abc/page.html'],
    ['an extension of Firefox', 'moz-extension://abc/page.html'],
    ['an extension of Safari', 'safari-web-extension://abc/page.html'],
    ['a page of Edge', 'edge://settings'],
    ['a resource', 'resource://gre/'],
    ['a handler of Windows', 'ms-msdt:/id'],
    ['a setting', 'ms-settings:privacy'],
    ['a handler of Android', 'android-app://com.example'],
    ['the source of something', 'view-source:https://shop.example.com'],
    ['a file', 'file:///etc/passwd'],
    ['a file of the page', 'filesystem:https://shop.example.com/temporary/x'],
    ['a blob', 'blob:https://shop.example.com/0199f3a0'],
    ['a page of the browser', 'about:blank'],
    ['a telephone', 'tel:+15551234'],
    ['other data', 'data:text/html;base64,PGI+'],
    ['other data in capitals', 'DATA:text/html,<b>'],
    ['JSON in capitals', 'DATA:application/json;base64,e30='],
    ['a scheme alone', 'myapp:'],
    ['an app with half a host', 'myapp://['],
    ['an app with a space', 'myapp://paid now'],
    ['an app with a new line', 'myapp://paid\r\nset-cookie:x=1'],
    ['an app, at length', `myapp:${'a'.repeat(2043)}`],
    ['a web page without slashes', 'https:shop.example.com'],
    ['a web page without a host', 'https:///paid'],
    ['a web page with a space', 'https://shop.example.com/a b'],
    ['a port that there is not', 'https://shop.example.com:99999'],
    ['half a host', 'https://[::1'],
    ['what is too long', `https://shop.example.com/${'a'.repeat(2024)}`],
    ['too much data', `data:application/json;base64,${'a'.repeat(20_000)}`],
  ])('%s', (_what, url) => {
    expect(isRedirectUrl(url)).toBe(false)
  })
})
