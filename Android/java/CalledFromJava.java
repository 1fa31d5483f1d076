// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import android.app.Activity;
import android.net.Uri;
import android.os.Bundle;
import homing.HomingApp;
import homing.auth.ActionCodeResult;
import homing.auth.ActionCodeSettings;
import homing.auth.EmailAuthProvider;
import homing.auth.FinishAnywhere;
import homing.auth.Finishing;
import homing.auth.FirebaseAuth;
import homing.auth.FirebaseAuthException;
import homing.auth.FirebaseAuthWeakPasswordException;
import homing.auth.FirebaseUser;
import homing.auth.IncomingLink;
import homing.auth.IncomingLinks;
import homing.auth.PendingAction;
import homing.auth.UserProfileChangeRequest;
import homing.dynamiclinks.DynamicLink;
import homing.dynamiclinks.FirebaseDynamicLinks;
import homing.dynamiclinks.ShortDynamicLink;
import homing.tasks.OnCompleteListener;
import homing.tasks.Task;

/** The calls of an app in Java, as apps of Firebase write them: it has to compile. */
class CalledFromJava extends Activity {
    private final FirebaseAuth.AuthStateListener listener = auth -> show(auth.getCurrentUser());

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        HomingApp.configure(this, "https://auth.example.com", "hk_key", "https://links.example.com");
        FirebaseAuth auth = FirebaseAuth.getInstance();
        auth.addAuthStateListener(listener);
        auth.setLanguageCode("de");
        IncomingLink link = IncomingLinks.handle(auth, getIntent());
        if (link instanceof IncomingLink.Action) {
            apply(auth, ((IncomingLink.Action) link).getUrl().getCode());
        }
        signIn(auth);
    }

    private void signIn(FirebaseAuth auth) {
        auth.signInWithEmailAndPassword("ann@example.com", "correct horse 1")
            .addOnSuccessListener(result -> show(result.getUser()))
            .addOnFailureListener(reason -> {
                if (reason instanceof FirebaseAuthWeakPasswordException) tell(((FirebaseAuthWeakPasswordException) reason).getReason());
                if (reason instanceof FirebaseAuthException) tell(((FirebaseAuthException) reason).getErrorCode());
            });
        ActionCodeSettings settings = ActionCodeSettings.newBuilder()
            .setUrl("https://www.example.com/letters/1?part=2")
            .setHandleCodeInApp(true)
            .setAndroidPackageName("com.example.android", true, "12")
            .build();
        auth.sendPasswordResetEmail("ann@example.com", settings).addOnCompleteListener(new OnCompleteListener<Void>() {
            @Override
            public void onComplete(Task<Void> task) {
                if (!task.isSuccessful()) tell(task.getException().getMessage());
            }
        });
        FinishAnywhere.sendSignInLinkToEmail(auth, "ann@example.com", settings, Finishing.ANYWHERE)
            .onSuccessTask(PendingAction::result)
            .addOnSuccessListener(result -> show(auth.getCurrentUser()));
    }

    private void apply(FirebaseAuth auth, String code) {
        auth.checkActionCode(code).continueWithTask(task ->
            task.getResult().getOperation() == ActionCodeResult.VERIFY_EMAIL ? auth.applyActionCode(code) : null);
        FirebaseUser user = auth.getCurrentUser();
        user.updateProfile(new UserProfileChangeRequest.Builder().setDisplayName("Ann").setPhotoUri(Uri.EMPTY).build());
        user.reauthenticate(EmailAuthProvider.getCredential("ann@example.com", "correct horse 1"));
        user.getIdToken(false).addOnSuccessListener(this, result -> tell(result.getToken()));
    }

    private void links() {
        FirebaseDynamicLinks.getInstance().getDynamicLink(getIntent())
            .addOnSuccessListener(this, data -> tell(String.valueOf(data.getLink())));
        FirebaseDynamicLinks.getInstance().createDynamicLink()
            .setLink(Uri.parse("https://www.example.com/letters/1"))
            .setDomainUriPrefix("https://links.example.com")
            .setAndroidParameters(new DynamicLink.AndroidParameters.Builder("com.example.android").build())
            .buildShortDynamicLink(ShortDynamicLink.Suffix.SHORT)
            .addOnSuccessListener(link -> tell(link.getShortLink().toString()));
    }

    private void show(FirebaseUser user) {
        tell(user == null ? "nobody" : user.getEmail());
    }

    private void tell(String text) {}
}
