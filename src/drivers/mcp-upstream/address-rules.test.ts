import { expect, it } from 'vitest';
import { isPublicAddress } from './address-rules.ts';

it.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '64:ff9b::808:808',
  '::ffff:8.8.8.8',
  '2002:808:808::1',
])('[UPD-08] %s belongs to the public network', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  '127.0.0.1',
  '0.0.0.0',
  '169.254.169.254',
  '192.88.99.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::10.0.0.1',
  '::ffff:0:10.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '2001::1',
  '2001:db8::1',
  '2002:a00:1::1',
  '3fff::1',
  'fe80::1%eth0',
  'fec0::1',
  'fd00::1',
  'ff02::1',
  '5f00::1',
  'not an address',
  '',
])('[UPD-08] %j does not', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
