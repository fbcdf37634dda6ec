import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@mantine/spotlight/styles.css";
import "./app.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { lazy, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./api/queries.ts";
import { router } from "./router.tsx";
import { theme } from "./theme.ts";

/** Loaded after the page: what is said before that is shown then. */
const Notifications = lazy(async () => ({ default: (await import("@mantine/notifications")).Notifications }));

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// Before the first render: the first dialog writes a style of its own.
setNonce(nonce);

createRoot(document.getElementById("root") as HTMLElement).render(
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
    <Suspense fallback={null}>
      <Notifications position="bottom-right" />
    </Suspense>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>,
);
