import { describe, expect, it } from "vitest";
import { looksOneTime, oneTimeIn } from "../../../../../src/email/workspace/sending/one-time.ts";

describe("a variable that may let a person in", () => {
  it.each([
    "code",
    "link",
    "resetLink",
    "login_url",
    "pin",
    "tan",
    "mobileTAN",
    "otp",
    "auth_url",
    "authUrl",
    "activation",
    "twoFactor",
    "two_factor_code",
    "2fa",
    "mfa",
    "unlock-url",
    "recoveryLink",
    "magic",
    "inviteUrl",
    "apiKey",
    "loginUrl",
    "logInUrl",
    "sign-in_link",
    "signinlink",
    "userlogin",
    "LOGIN_LINK",
    "ONE_TIME_LINK",
    "oneTimeCode",
    "onetimecode",
    "passcode",
    "PASSCODE",
    "authcode",
    "accessCode",
    "voucher_code",
    "discountCode",
    "countryCodeToken",
    "postcode.code",
    "errorCodeAndPin",
    "button_url",
    "twoFa",
    "emailOtp",
    "smsotp",
    "api-key",
    "resetlink",
    "2FACode",
  ])("is known by the name %s", (name) => {
    expect(oneTimeIn([`data.${name}`])).toEqual([name]);
  });

  it.each([
    "amount",
    "plan",
    "author",
    "distance",
    "activatedAt",
    "recoveredAmount",
    "invoiceUrl",
    "standard",
    "spinning",
    "postcode",
    "post_code",
    "postalCode",
    "POSTAL_CODE",
    "shippingZipCode",
    "zipcode",
    "address.countryCode",
    "currencyCodes",
    "languageCode",
    "statusCode",
    "errorcode",
    "barcode",
    "sortCode",
    "videoCodec",
    "encodedName",
    "presetName",
    "secretary",
    "carbonFootprint",
    "designInfo",
    "assigningTeam",
    "blogInfo",
    "catalogInfo",
  ])("is not %s", (name) => {
    expect(oneTimeIn([`data.${name}`])).toEqual([]);
  });
});

describe("a value that may let a person in", () => {
  it.each([
    "839201",
    " 12345678 ",
    "839-201",
    "1234 5678",
    "https://x.example.com/activate/9f8e",
    "https://x.example.com/login/9f8e",
    "https://x.example.com/account/password-reset",
    "https://x.example.com/email_verify/1",
    "https://x.example.com/in?token=abc",
    "https://x.example.com/#access_token=abc",
    "https://x.example.com/o/550e8400-e29b-41d4-a716-446655440000",
    "https://x.example.com/o/dGhpcyBpcyBhIHRlc3Q0MTIz",
    "Click https://x.example.com/magic/1 to go on",
    '<a href="https://x.example.com/signin/1">in</a>',
    "4b8c1f0e9d7a4b8c1f0e9d7a4b8c1f0e",
    "XK4P9Q",
    "f7d2-9ac1",
    "AB12-CD34-EF56",
    "https://x.example.com/r/aB3dE5",
    "Your code is 839201.",
    "Use the PIN 8392 within ten minutes",
    "Ihr Kennwort: 83920",
  ])("is known by its form: %j", (value) => {
    expect(looksOneTime(value)).toBe(true);
  });

  it.each([
    "12 €",
    "4711",
    "123456789",
    "2026-11-30",
    "Ada Lovelace",
    "Pro plan 2026",
    "DE89370400440532013000",
    "true",
    "",
    "https://acme.example/invoices/7",
    "https://acme.example",
    "https://login.example.com",
    "ada.lovelace.1815@mail.example",
    "https://acme.example/blog/how-to-upgrade-your-account-in-2026",
    "https://acme.example/presets/authors",
    "INV-2024-001",
    "BA1 1AA",
    "1920x1080",
    "Order 839201 has left",
    "30 codecs",
  ])("is not %j", (value) => {
    expect(looksOneTime(value)).toBe(false);
  });

  it("is looked for in linear time", () => {
    for (const unit of ["https://a", "a1", "/login", "=", "-", "a=", "1 ", "://"]) {
      const value = unit.repeat(Math.ceil(256_000 / unit.length));
      const before = performance.now();
      looksOneTime(value);
      // A few ms on an idle machine. A quadratic search would take minutes.
      expect(performance.now() - before, unit).toBeLessThan(5_000);
    }
  });
});
